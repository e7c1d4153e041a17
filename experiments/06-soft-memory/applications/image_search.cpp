// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// soft-image-search: finds which of its pictures is most like another. It remembers the features (SIFT) of its pictures in soft
// memory; to extract them again takes milliseconds. The pictures are drawn on the spot.
#include <opencv2/features2d.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "options.hpp"
#include "popularity.hpp"
#include "progress.hpp"
#include "softlib/cache.hpp"

namespace {

using Features = std::vector<unsigned char>;  // descriptors of 128 bytes

constexpr int size = 256;
constexpr int descriptor_bytes = 128;

// Circles and lines with noise, the same for the same number.
cv::Mat draw_picture(std::uint32_t number) {
    cv::RNG random(number + 1);
    cv::Mat picture(size, size, CV_8UC1);
    random.fill(picture, cv::RNG::UNIFORM, 0, 40);
    for (int i = 0; i < 60; ++i) {
        const cv::Point from(random.uniform(0, size), random.uniform(0, size));
        const cv::Point to(random.uniform(0, size), random.uniform(0, size));
        cv::circle(picture, from, random.uniform(3, 30), cv::Scalar(random.uniform(40, 255)), random.uniform(1, 4));
        cv::line(picture, from, to, cv::Scalar(random.uniform(40, 255)), random.uniform(1, 3));
    }
    return picture;
}

Features features_of(std::uint32_t number) {
    static const cv::Ptr<cv::SIFT> sift = cv::SIFT::create(400);
    std::vector<cv::KeyPoint> points;
    cv::Mat descriptors;
    sift->detectAndCompute(draw_picture(number), cv::noArray(), points, descriptors);
    cv::Mat bytes;
    descriptors.convertTo(bytes, CV_8U);
    return {bytes.begin<unsigned char>(), bytes.end<unsigned char>()};
}

// How well some features of one are found in the other: the mean least distance.
double distance_between(Features& one, Features& other) {
    constexpr int compared = 24;
    if (one.size() < std::size_t{compared} * descriptor_bytes || other.empty())
        return 1e9;
    const cv::Mat some(compared, descriptor_bytes, CV_8U, one.data());
    const cv::Mat all(static_cast<int>(other.size()) / descriptor_bytes, descriptor_bytes, CV_8U, other.data());
    cv::Mat distances;
    cv::Mat nearest;
    cv::batchDistance(some, all, distances, CV_32S, nearest, cv::NORM_L1, 1);
    return cv::mean(distances)[0];
}

}  // namespace

int main(int argc, char** argv) {
    using namespace tmm::soft_memory;
    const Options options(argc, argv, 5000);
    cv::setNumThreads(1);
    soft::cache<std::uint32_t, Features> remembered("features", {});
    Progress progress("image-search");
    Popularity popularity(options.items, 0.8, 1);
    double nearest = 1e9;
    while (progress.seconds() < options.seconds) {
        const auto draw = [&] {
            const std::uint32_t number = popularity.draw(options.phase(progress.seconds()));
            return remembered.get_or(number, [&] { return progress.rebuild([&] { return features_of(number); }); });
        };
        Features wanted = draw();
        Features candidate = draw();
        nearest = std::min(nearest, distance_between(wanted, candidate));
        progress.request();
    }
    std::fprintf(stderr, "nearest %.0f\n", nearest);
}
